// What narrows the list, in words.
import { RANGES } from '#/inventory/search'
import type { UrlSearch } from '#/inventory/useUrl'
import { useFormats } from '#/lib/format'
import type { InventoryFacet, useFacets } from './useFacets'

export function useChips(
  { search, change, choose }: UrlSearch,
  { facets, wordOf }: ReturnType<typeof useFacets>,
) {
  const { list } = useFormats()
  const textOf = ({ title, kind, chosen: values }: InventoryFacet) => {
    if (RANGES.includes(kind.id)) return `${title} ${values[0] ?? ''}–${values[1] ?? ''}`
    const words = list(values.map((id) => wordOf(kind, id)))
    return kind.words === 'flag' ? `${title}: ${words}` : words
  }
  const text = (search.lines ?? []).map((line) => line.text).join(' · ')
  return [
    ...(text ? [{ id: 'lines', text, onRemove: () => change({ lines: undefined }) }] : []),
    ...facets
      .filter((one) => one.chosen.length)
      .map((one) => ({ id: one.id, text: textOf(one), onRemove: () => choose(one.id, []) })),
  ]
}
