// A grey bar where words will stand; `share` is its width in twentieths of the place.
import styles from './States.module.css'

export function Skeleton({ share = 12 }: { share?: 6 | 9 | 12 | 15 | 18 }) {
  return <span className={styles.skel} data-share={share} aria-hidden="true" />
}
