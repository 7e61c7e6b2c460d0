// The places at the side; on phones the first of them at the bottom.
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useCount } from '#/lib/counts'
import { useMay } from '#/lib/permissions'
import { Icon } from '#/ui/Icon'
import { PLACES, type Place } from './places'
import styles from './Shell.module.css'

export function Rail() {
  const t = useText()
  return (
    <nav className={styles.rail} aria-label={t('shell.main')}>
      <Groups />
    </nav>
  )
}

/** All places; on phones the page "More". */
export function Groups() {
  const t = useText()
  const groups = [...new Set(PLACES.map((place) => place.group))]
  return (
    <>
      {groups.map((group) => (
        <div key={group} className={styles.group}>
          <h2>{t(group)}</h2>
          {PLACES.filter((place) => place.group === group).map((place) => (
            <Entry key={place.id} place={place} />
          ))}
        </div>
      ))}
    </>
  )
}

function Entry({ place }: { place: Place }) {
  const t = useText()
  const { reason } = useMay(place.needs)
  const count = useCount(place.id)
  const title = t(place.title)
  const inside = (
    <>
      <Icon name={reason ? 'lock' : place.icon} />
      <span>{title}</span>
      {count ? <span className="n">{count}</span> : null}
      {reason ? <span className="vh">{reason}</span> : null}
    </>
  )
  if (reason) {
    return (
      // biome-ignore lint/a11y/useValidAnchor: a place that may not be entered stays visible with its reason.
      <a aria-disabled="true" title={reason} role="link" tabIndex={0}>
        {inside}
      </a>
    )
  }
  return (
    <Link to={place.to} title={title} activeProps={{ 'aria-current': 'page' }}>
      {inside}
    </Link>
  )
}

export function Dock() {
  const t = useText()
  return (
    <nav className={styles.dock} aria-label={t('shell.mainShort')}>
      {PLACES.filter((place) => place.dock).map((place) => (
        <Link key={place.id} to={place.to} activeProps={{ 'aria-current': 'page' }}>
          <Icon name={place.icon} />
          {t(place.title)}
        </Link>
      ))}
      <Link to="/more" activeProps={{ 'aria-current': 'page' }}>
        <Icon name="menu" />
        {t('shell.more')}
      </Link>
    </nav>
  )
}
