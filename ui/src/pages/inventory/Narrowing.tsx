// The facets of the inventory. Not drawn with each letter: only with other counts and other choices.
import { memo } from 'react'
import { RANGES } from '#/inventory/search'
import type { UrlSearch } from '#/inventory/useUrl'
import { RangeGroup } from '#/search/RangeGroup'
import { Facets } from '#/ui/Facets'
import type { useFacets } from './useFacets'

interface Props {
  facets: ReturnType<typeof useFacets>['facets']
  onOpen: ReturnType<typeof useFacets>['open']
  /** Also where the page is narrow. */
  shown: boolean
  onShow: (shown: boolean) => void
  onChoose: UrlSearch['choose']
}

export const Narrowing = memo(({ facets, onOpen, shown, onShow, onChoose }: Props) => (
  <Facets
    facets={facets}
    shown={shown}
    onClose={() => onShow(false)}
    onOpen={onOpen}
    onChoose={onChoose}
    other={(facet) =>
      RANGES.includes(facet.id) ? (
        <RangeGroup
          facet={facet}
          of={facet.kind.words === 'date' ? 'date' : 'number'}
          onOpen={(on) => onOpen(facet.id, on)}
          onChoose={(values) => onChoose(facet.id, values)}
        />
      ) : undefined
    }
  />
))
