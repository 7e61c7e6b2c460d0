// Who the record is about, and what is done with it most.
import { useEffect } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { useMay, useNeeds } from '#/lib/permissions'
import { Portrait } from '#/patrons/Portrait'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { page } from '#/ui/Page'
import styles from './record.module.css'
import { UserMenu, type UserTask } from './UserMenu'

interface Props {
  user: Patron
  group: string | undefined
  onEdit: () => void
  onLend: () => void
  onTask: (task: UserTask) => void
}

export function RecordHead({ user, group, onEdit, onLend, onTask }: Props) {
  const t = useText()
  const formats = useFormats()
  const mayEdit = useNeeds('users.item.put')
  const mayLend = useMay('checkOut')
  const name = fullName(user.personal ?? {}) || user.username || user.id
  useEffect(() => {
    document.title = `${name} – Octavo`
  }, [name])
  const expires = user.expirationDate
  const isExpired = expires !== undefined && Date.parse(expires) < Date.now()
  const state = !user.active
    ? t('users.inactive')
    : isExpired
      ? t('users.expiredOn', { date: formats.day(expires ?? '') })
      : expires
        ? t('users.activeUntil', { date: formats.day(expires) })
        : t('users.active')
  return (
    <div className={cx(page.head, styles.head)}>
      <div className={cx('row grow', styles.who)}>
        <Portrait user={user} />
        <div>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p className="soft sm">
            {user.barcode ? (
              <>
                <Code>{user.barcode}</Code>
                {' · '}
              </>
            ) : null}
            {[group, state].filter(Boolean).join(' · ')}
          </p>
        </div>
      </div>
      <div className={page.acts}>
        <UserMenu user={user} onTask={onTask} />
        <Button icon="pencil" keys="Alt+E" disabled={mayEdit.reason} onPress={onEdit}>
          {t('users.edit')}
        </Button>
        <Button
          kind="primary"
          icon="book-up"
          disabled={mayLend.reason ?? (user.active ? undefined : t('users.inactive'))}
          onPress={onLend}
        >
          {t('users.lend')}
        </Button>
      </div>
    </div>
  )
}
