// The lists that the form chooses from.
import { queryClient } from '#/api/query'
import {
  addressTypesQuery,
  customFieldsQuery,
  departmentsQuery,
  groupsQuery,
} from '#/patrons/queries'

export const formQueries = () => [
  queryClient.ensureQueryData(groupsQuery),
  queryClient.ensureQueryData(departmentsQuery),
  queryClient.ensureQueryData(addressTypesQuery),
  queryClient.ensureQueryData(customFieldsQuery),
]
