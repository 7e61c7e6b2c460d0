// What can be done with one scan.
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { type Act, Menu } from '#/ui/Menu'
import styles from '../desk.module.css'
import type { Scan } from '../types'

export function RowMenu({ scan, acts }: { scan: Scan; acts: readonly Act[] }) {
  const t = useText()
  const name = t('desk.actions', { title: scan.item?.title || scan.barcode })
  return (
    <span className={styles['c-menu']}>
      {acts.length ? (
        <Menu
          label={name}
          acts={acts}
          trigger={<Button kind="quiet" small icon="ellipsis" aria-label={name} />}
        />
      ) : null}
    </span>
  )
}
