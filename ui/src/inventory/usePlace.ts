// "Library · Location" of a location's id.
import { useList } from '#/api/lists'

export function usePlace(): (locationId: string | undefined) => string {
  const locations = useList('locations')
  const libraries = useList('libraries')
  return (id) => {
    const location = locations.find((one) => one.id === id)
    const library = libraries.find((one) => one.id === location?.libraryId)
    return [library?.name, location?.name].filter(Boolean).join(' · ')
  }
}
