// What contacts and accounts are for; none for those who may not read them.
import { useQuery } from '@tanstack/react-query'
import { categoriesQuery } from '#/acquisitions/queries'
import { useNeeds } from '#/lib/permissions'

export function useCategories(wanted = true) {
  const { allowed } = useNeeds('organizations-storage.categories.collection.get')
  const { data = [] } = useQuery({ ...categoriesQuery, enabled: wanted && allowed })
  return data
}
