// The fiscal years, with the current one.
import { useQuery } from '@tanstack/react-query'
import { currentYear, yearsQuery } from './queries'

export function useYears() {
  const { data: years } = useQuery(yearsQuery)
  return { years: years ?? [], current: currentYear(years) }
}
