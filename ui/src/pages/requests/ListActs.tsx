// What is done with the whole list: slips of this desk on paper, the list as a file, the hold shelf.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSelf } from '#/api/self'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { fullName } from '#/lib/names'
import { useNeeds } from '#/lib/permissions'
import { useRequestTable } from '#/requests/useRequestTable'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'
import { useCsv } from '#/ui/useCsv'
import { notePrinted } from './printed'
import { printSlips, type SlipKind } from './slipsOfDesk'
import { everyRequest, type RequestsSearch } from './source'

const NOTE = ['circulation.settings.collection.get', 'circulation.print-events-entry.item.post']

export function ListActs({ search }: { search: RequestsSearch }) {
  const t = useText()
  const desk = useDesk()
  const navigate = useNavigate()
  const mayPick = useNeeds('circulation.pick-slips.get')
  const maySearch = useNeeds('circulation.search-slips.get')
  const { user, permissions } = useSelf()
  const client = useQueryClient()
  const mayNote = NOTE.every((one) => permissions.has(one))
  const act = useAct()
  const csv = useCsv({ name: 'requests', load: everyRequest(search), ...useRequestTable() })
  const [told, setTold] = useState<string>()
  const noDesk = desk ? undefined : t('shell.chooseFirst')
  const print = async (kind: SlipKind) => {
    setTold(undefined)
    const done = await act.run(async () => {
      const printed = await printSlips(kind, desk?.id ?? '')
      if (!printed.length) setTold(t(kind === 'pick' ? 'request.noSlips' : 'request.noSearchSlips'))
      else if (mayNote) await note(printed)
    })
    if (!done) setTold(t('forms.notDone'))
  }
  const note = async (printed: readonly string[]) => {
    const name = fullName(user.personal ?? {}) || user.username || user.id
    try {
      await notePrinted(printed, { id: user.id, name })
      await client.invalidateQueries({ queryKey: ['requests'] })
    } catch {
      // They are on paper; only the count lacks this print.
      setTold(t('request.notCounted'))
    }
  }
  return (
    <>
      <span className="sm soft" role="status">
        {csv.said ?? told}
      </span>
      <Button
        icon="printer"
        wideOnly
        busy={act.busy}
        disabled={mayPick.reason ?? noDesk}
        onPress={() => void print('pick')}
      >
        {t('request.pickSlips')}
      </Button>
      <Button icon="bookmark-x" wideOnly onPress={() => void navigate({ to: '/requests/shelf' })}>
        {t('request.shelf')}
      </Button>
      <Menu
        label={t('request.more')}
        trigger={<Button icon="ellipsis" busy={csv.busy} aria-label={t('request.more')} />}
        acts={[
          {
            id: 'search-slips',
            text: t('request.searchSlips'),
            icon: 'printer',
            disabled: maySearch.reason ?? noDesk,
            run: () => void print('search'),
          },
          { id: 'csv', text: t('list.csv'), icon: 'download', run: csv.save },
        ]}
      />
    </>
  )
}
