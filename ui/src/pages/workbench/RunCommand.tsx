// The same measurement by the program, from another machine or with more choices.
import { useSelf } from '#/api/self'
import { useText } from '#/i18n/text'
import { CopyLine } from '#/ui/CopyLine'
import { commandOf, type Wanted } from '#/workbench/command'

export function RunCommand({ wanted }: { wanted: Wanted }) {
  const t = useText()
  const { user } = useSelf()
  return (
    <details>
      <summary className="sm">{t('bench.byProgram')}</summary>
      <div className="stack">
        <CopyLine
          text={commandOf(wanted, user.username ?? 'admin')}
          label={t('bench.commandOfRun')}
        />
        <p className="soft sm">{t('bench.startWhat')}</p>
      </div>
    </details>
  )
}
