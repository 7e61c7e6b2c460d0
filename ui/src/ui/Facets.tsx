// The facets of a list at its start side. Up to 896 px they are behind "Narrow".

import { Fragment, type ReactNode, useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from './Button'
import { type Facet, FacetGroup } from './FacetGroup'
import styles from './Facets.module.css'
import { page } from './Page'

/** Groups that are shown at once; others when they narrow, or on demand. */
const FEW = 6

interface Props<T extends Facet> {
  facets: readonly T[]
  /** Groups of another kind, such as ranges; undefined where the usual one is right. */
  other?: (facet: T) => ReactNode
  /** Shown although the page is narrow. */
  shown: boolean
  /** Closes them there; without it only "Narrow" does. */
  onClose?: () => void
  onOpen: (id: string, open: boolean) => void
  onChoose: (id: string, chosen: string[]) => void
}

export function Facets<T extends Facet>(props: Props<T>) {
  const { facets, other, shown, onClose, onOpen, onChoose } = props
  const t = useText()
  const { number } = useFormats()
  const [all, setAll] = useState(false)
  const rest = facets.slice(FEW).filter((facet) => !facet.open)
  const drawn = all ? facets : facets.filter((facet) => !rest.includes(facet))
  return (
    <aside
      className={page.side}
      id="facets"
      data-shown={shown ? '' : undefined}
      aria-label={t('list.narrowLong')}
    >
      {shown && onClose ? (
        <div className={styles.narrow}>
          <Button small icon="x" onPress={onClose}>
            {t('shell.close')}
          </Button>
        </div>
      ) : null}
      {drawn.map((facet) => (
        <Fragment key={facet.id}>
          {other?.(facet) ?? (
            <FacetGroup
              {...facet}
              onOpen={(open) => onOpen(facet.id, open)}
              onChoose={(chosen) => onChoose(facet.id, chosen)}
            />
          )}
        </Fragment>
      ))}
      {rest.length ? (
        <button
          type="button"
          className={styles.more}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? t('list.fewer') : t('list.moreFacets', { count: number(rest.length) })}
        </button>
      ) : null}
    </aside>
  )
}
