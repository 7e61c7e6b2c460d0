// What else is done with a user: a link for a new password, deleting.
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'

export type UserTask = 'link' | 'delete'

interface Props {
  user: Patron
  onTask: (task: UserTask) => void
}

export function UserMenu({ user, onTask }: Props) {
  const t = useText()
  const mayLink = useNeeds('users-bl.password-reset-link.generate')
  const mayDelete = useNeeds('users-bl.item.delete')
  return (
    <Menu
      label={t('users.more')}
      trigger={<Button icon="ellipsis" aria-label={t('users.more')} />}
      acts={[
        {
          id: 'link',
          text: t('users.sendLink'),
          icon: 'lock',
          disabled: mayLink.reason ?? (user.username ? undefined : t('users.needsUsername')),
          run: () => onTask('link'),
        },
        'line',
        {
          id: 'delete',
          text: t('users.deleteUser'),
          icon: 'trash-2',
          disabled: mayDelete.reason,
          run: () => onTask('delete'),
        },
      ]}
    />
  )
}
