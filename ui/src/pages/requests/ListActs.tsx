// What is done with the whole list: slips of this desk on paper, the list as a file, the hold shelf.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useNeeds } from '#/lib/permissions'
import { useRequestTable } from '#/requests/useRequestTable'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'
import { useCsv } from '#/ui/useCsv'
import { printSlips, type SlipKind } from './slipsOfDesk'
import { everyRequest, type RequestsSearch } from './source'

export function ListActs({ search }: { search: RequestsSearch }) {
  const t = useText()
  const desk = useDesk()
  const navigate = useNavigate()
  const mayPick = useNeeds('circulation.pick-slips.get')
  const maySearch = useNeeds('circulation.search-slips.get')
  const act = useAct()
  const csv = useCsv({ name: 'requests', load: everyRequest(search), ...useRequestTable() })
  const [told, setTold] = useState<string>()
  const noDesk = desk ? undefined : t('shell.chooseFirst')
  const print = async (kind: SlipKind) => {
    setTold(undefined)
    const done = await act.run(async () => {
      const count = await printSlips(kind, desk?.id ?? '')
      if (count === 0) setTold(t(kind === 'pick' ? 'request.noSlips' : 'request.noSearchSlips'))
    })
    if (!done) setTold(t('forms.notDone'))
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
