// Ends a measurement before its time; what was measured stays.
import { useState } from 'react'
import { queryClient } from '#/api/query'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import { stopRun } from '#/workbench/serverRuns'

export function StopRun({ id }: { id: string }) {
  const t = useText()
  const may = useNeeds('octavo.workload-runs.post')
  const act = useAct()
  const [asking, setAsking] = useState(false)
  const stop = () =>
    act.run(async () => {
      await stopRun(id)
      await queryClient.invalidateQueries({ queryKey: ['workload-run', id] })
    })
  return (
    <>
      <Button kind="danger" busy={act.busy} disabled={may.reason} onPress={() => setAsking(true)}>
        {t('data.stop')}
      </Button>
      <NotDone failure={act.failure} />
      <Dialog
        title={t('bench.stopAsk')}
        open={asking}
        onClose={() => setAsking(false)}
        closeText={t('data.goOn')}
        act={{ text: t('bench.stopIt'), danger: true, run: () => void stop() }}
      >
        <p>{t('bench.stopWhat')}</p>
      </Dialog>
    </>
  )
}
