// How many were found of how many, and what narrows the list: each can be taken away.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { everythingQuery } from '#/inventory/hits'
import { RANGES } from '#/inventory/search'
import type { UrlSearch } from '#/inventory/useUrl'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Chip } from '#/ui/Chip'
import type { InventoryFacet } from './useFacets'

interface Props {
  url: UrlSearch
  found: number | undefined
  facets: readonly InventoryFacet[]
  wordOf: (kind: InventoryFacet['kind'], id: string) => string
}

export function Chosen({ url, found, facets, wordOf }: Props) {
  const t = useText()
  const { number, list } = useFormats()
  const { data: everything } = useQuery(everythingQuery)
  const { search, change, choose } = url
  const chosen = facets.filter((one) => one.chosen.length)
  const textOf = ({ title, kind, chosen: values }: InventoryFacet) => {
    if (RANGES.includes(kind.id)) return `${title} ${values[0] ?? ''}–${values[1] ?? ''}`
    const words = list(values.map((id) => wordOf(kind, id)))
    return kind.words === 'flag' ? `${title}: ${words}` : words
  }
  const text = (search.lines ?? []).map((line) => line.text).join(' · ')
  return (
    <>
      <p role="status">
        {found === undefined ? (
          <span className="muted">{t('shell.searching')}</span>
        ) : (
          <>
            <span className="strong tnum">{number(found)}</span>{' '}
            {everything === undefined ? null : (
              <span className="muted tnum">
                {t('inventory.ofAll', { total: number(everything) })}
              </span>
            )}
          </>
        )}
      </p>
      {text ? <Chip text={text} onRemove={() => change({ lines: undefined })} /> : null}
      {chosen.map((one) => (
        <Chip key={one.id} text={textOf(one)} onRemove={() => choose(one.id, [])} />
      ))}
      {chosen.length || text ? (
        <Button small kind="quiet" onPress={() => change({ f: undefined, lines: undefined })}>
          {t('list.clear')}
        </Button>
      ) : null}
    </>
  )
}
