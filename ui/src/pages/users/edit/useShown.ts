// Names of the record's fields, and values as text, for the two versions of a conflict.
import { useLoaded } from '#/api/query'
import { type TextId, useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { customFieldsQuery, departmentsQuery, groupsQuery } from '#/patrons/queries'

const LABELS: Record<string, TextId> = {
  username: 'users.username',
  barcode: 'users.barcode',
  externalSystemId: 'users.externalId',
  active: 'users.status',
  patronGroup: 'users.group',
  departments: 'users.departments',
  type: 'users.type',
  expirationDate: 'users.expires',
  enrollmentDate: 'users.enrolled',
  'personal.lastName': 'users.lastName',
  'personal.firstName': 'users.firstName',
  'personal.middleName': 'users.middleName',
  'personal.preferredFirstName': 'users.preferredName',
  'personal.pronouns': 'users.pronouns',
  'personal.email': 'users.email',
  'personal.phone': 'users.phone',
  'personal.mobilePhone': 'users.mobile',
  'personal.dateOfBirth': 'users.born',
  'personal.preferredContactTypeId': 'users.preferredContact',
  'personal.addresses': 'users.addresses',
  'personal.profilePictureLink': 'users.picture',
}

export function useShown() {
  const t = useText()
  const { day } = useFormats()
  const groups = useLoaded(groupsQuery)
  const departments = useLoaded(departmentsQuery)
  const fields = useLoaded(customFieldsQuery)
  return {
    label: (path: string): string => {
      const id = LABELS[path]
      if (id) return t(id)
      return fields.find((one) => `customFields.${one.refId}` === path)?.name ?? path
    },
    show: (value: unknown, path: string): string => {
      if (value === undefined || value === null || value === '') return t('users.nothing')
      if (path === 'active') return value ? t('users.active') : t('users.inactive')
      if (path === 'patronGroup') return groups.find((one) => one.id === value)?.group ?? ''
      if (/Date$|dateOfBirth$/.test(path)) return day(String(value))
      if (path === 'departments' && Array.isArray(value))
        return value.map((id) => departments.find((one) => one.id === id)?.name).join(', ')
      if (path === 'personal.addresses' && Array.isArray(value))
        return value
          .map((one) => [one.addressLine1, one.postalCode, one.city].filter(Boolean).join(' '))
          .join('; ')
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    },
  }
}
