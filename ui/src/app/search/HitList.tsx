// The hits under the search box, in groups.
import { Fragment } from 'react'
import { useText } from '#/i18n/text'
import { cx } from '#/ui/cx'
import { Icon } from '#/ui/Icon'
import { Key } from '#/ui/Key'
import menu from '#/ui/Menu.module.css'
import type { Hit } from './hits'
import styles from './Search.module.css'

interface Props {
  id: string
  hits: readonly Hit[]
  current: number
  busy: boolean
  onChoose: (hit: Hit) => void
}

export function HitList({ id, hits, current, busy, onChoose }: Props) {
  const t = useText()
  return (
    <div
      className={cx(menu.menu, styles.hits)}
      id={`${id}-list`}
      role="listbox"
      aria-label={t('shell.hits')}
    >
      {hits.map((hit, at) => (
        <Fragment key={hit.id}>
          {hits[at - 1]?.group === hit.group ? null : (
            <div className={styles.heading} role="presentation">
              {t(`shell.hits.${hit.group}`)}
            </div>
          )}
          {/* biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, as a combobox has it. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys. */}
          <div
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === current}
            aria-disabled={hit.disabled ? true : undefined}
            // Before the field loses focus and the list closes.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(hit)}
          >
            <Icon name={hit.icon} />
            <span className={styles.words}>
              <bdi className="cut">{hit.text}</bdi>
              {hit.disabled || hit.detail ? (
                <span className="xs muted cut">{hit.disabled ?? hit.detail}</span>
              ) : null}
            </span>
            {hit.keys ? <Key combo={hit.keys} /> : null}
          </div>
        </Fragment>
      ))}
      {busy ? <p className={styles.heading}>{t('shell.searching')}</p> : null}
      {!busy && !hits.length ? <p className={styles.heading}>{t('shell.nothingFound')}</p> : null}
    </div>
  )
}
