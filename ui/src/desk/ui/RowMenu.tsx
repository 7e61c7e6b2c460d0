// What can be done with one scan.
import { useText } from '#/i18n/text'
import { LateMenu } from '#/ui/LateMenu'
import type { Act } from '#/ui/Menu'
import styles from '../desk.module.css'
import type { Scan } from '../types'

export function RowMenu({ scan, acts }: { scan: Scan; acts: readonly Act[] }) {
  const t = useText()
  return (
    <span className={styles['c-menu']}>
      {acts.length ? (
        <LateMenu
          label={t('desk.actions', { title: scan.item?.title || scan.barcode })}
          acts={acts}
        />
      ) : null}
    </span>
  )
}
