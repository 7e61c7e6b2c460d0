// What else is done with a user: a library card on paper, a link for a new password, deleting.
import { useQuery } from '@tanstack/react-query'
import { featuresQuery } from '#/api/features'
import { printElements } from '#/desk/print'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { cardElement } from '#/patrons/card/cardElement'
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
  const { data } = useQuery(featuresQuery)
  const print = async () => printElements([await cardElement(user, data?.tenantName ?? '')])
  return (
    <Menu
      label={t('users.more')}
      trigger={<Button icon="ellipsis" aria-label={t('users.more')} />}
      acts={[
        {
          id: 'card',
          text: t('users.printCard'),
          icon: 'printer',
          disabled: user.barcode ? undefined : t('users.needsBarcode'),
          run: () => void print(),
        },
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
