// What can be done with a request; what cannot says why.
import { useNavigate } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import type { Request } from '#/requests/types'
import { isBegun, isOpen } from '#/requests/words'
import { Button } from '#/ui/Button'

export type Task = 'edit' | 'cancel' | 'move'

interface Props {
  request: Request
  onTask: (task: Task) => void
}

export function RequestActs({ request, onTask }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const mayChange = useNeeds('circulation.requests.item.put')
  const mayMove = useNeeds('circulation.requests.item.move.post')
  const mayAdd = useNeeds('circulation.requests.item.post')
  const closed = isOpen(request) ? undefined : t('request.isClosed')
  const fixed = isBegun(request) ? t('request.isBegun') : undefined
  // A title's queue is the title's, with all its items.
  const queue =
    request.requestLevel === 'Title' || !request.itemId
      ? { of: 'instance', id: request.instanceId }
      : { of: 'item', id: request.itemId }
  const edit = () => onTask('edit')
  const copy = () => void navigate({ to: '/requests/new', search: { like: request.id } })
  useCommands([
    {
      id: 'requests.edit',
      title: 'request.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: mayChange.reason ?? closed,
      run: edit,
    },
    {
      id: 'requests.copy',
      title: 'request.copy',
      group: 'page',
      keys: 'Alt+C',
      disabled: mayAdd.reason,
      run: copy,
    },
  ])
  return (
    <>
      <Button
        icon="list"
        onPress={() => void navigate({ to: '/requests/queue/$of/$id', params: queue })}
      >
        {t('request.queue')}
      </Button>
      <Button icon="pencil" keys="Alt+E" disabled={mayChange.reason ?? closed} onPress={edit}>
        {t('request.edit')}
      </Button>
      <Button icon="copy" keys="Alt+C" disabled={mayAdd.reason} onPress={copy}>
        {t('request.copy')}
      </Button>
      <Button
        icon="arrow-down-up"
        disabled={mayMove.reason ?? closed ?? fixed}
        onPress={() => onTask('move')}
      >
        {t('request.moveIt')}
      </Button>
      <Button
        kind="danger"
        icon="x"
        disabled={mayChange.reason ?? closed}
        onPress={() => onTask('cancel')}
      >
        {t('request.cancel')}
      </Button>
    </>
  )
}
