// Before an index is built: what it costs. A server that builds none by request gets the command.
import { queryClient } from '#/api/query'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { CopyLine } from '#/ui/CopyLine'
import { type Advice, buildIndex } from '#/workbench/advice'

interface Props {
  advice: Advice
  canBuild: boolean
  onClose: () => void
}

export function BuildCard({ advice, canBuild, onClose }: Props) {
  const t = useText()
  const act = useAct()
  const may = useNeeds('octavo.indexes.post')
  const build = async () => {
    const done = await act.run(() => buildIndex(advice.number))
    await queryClient.invalidateQueries({ queryKey: ['index-advice'] })
    if (done) onClose()
  }
  return (
    <ConfirmCard
      title={t('bench.buildAsk', { query: advice.query })}
      text={t('bench.buildWhat')}
      act={t('bench.build')}
      busy={act.busy}
      disabled={canBuild ? may.reason : t('bench.byCommand')}
      onAct={() => void build()}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
      {canBuild ? null : (
        <>
          <p className="sm">{t('bench.byCommandWhat')}</p>
          <CopyLine text={advice.apply} label={t('bench.command')} />
        </>
      )}
    </ConfirmCard>
  )
}
