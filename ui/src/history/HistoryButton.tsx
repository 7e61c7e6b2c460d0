// Opens the versions of a record, by button and key. The pane is loaded when it is opened.
import { lazy, Suspense, useState } from 'react'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import type { PaneProps } from './HistoryPane'
import { HISTORIES } from './kinds'

export const LazyPane = lazy(async () => ({ default: (await import('./HistoryPane')).HistoryPane }))

export function HistoryButton(props: Omit<PaneProps, 'onClose'>) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const { reason } = useNeeds(HISTORIES[props.kind].needs)
  const open = () => setOpen(true)
  useCommands([
    {
      id: 'record.history',
      title: 'history.title',
      group: 'page',
      keys: 'Alt+V',
      disabled: reason,
      run: open,
    },
  ])
  return (
    <>
      <Button icon="history" aria-label={t('history.title')} disabled={reason} onPress={open} />
      {isOpen ? (
        <Suspense fallback={null}>
          <LazyPane {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
