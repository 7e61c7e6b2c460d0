// The facets of a list at its start side. Up to 896 px they are behind "Narrow".
import { useText } from '#/i18n/text'
import { cx } from './cx'
import { type Facet, FacetGroup } from './FacetGroup'
import { page } from './Page'

interface Props {
  facets: readonly Facet[]
  /** Shown although the page is narrow. */
  shown: boolean
  onOpen: (id: string, open: boolean) => void
  onChoose: (id: string, chosen: string[]) => void
}

export function Facets({ facets, shown, onOpen, onChoose }: Props) {
  const t = useText()
  return (
    <aside
      className={cx(page.side)}
      id="facets"
      data-shown={shown ? '' : undefined}
      aria-label={t('list.narrowLong')}
    >
      {facets.map((facet) => (
        <FacetGroup
          key={facet.id}
          {...facet}
          onOpen={(open) => onOpen(facet.id, open)}
          onChoose={(chosen) => onChoose(facet.id, chosen)}
        />
      ))}
    </aside>
  )
}
