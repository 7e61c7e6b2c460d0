// What a person may not see, and why; or what this server does not have.
import { useText } from '#/i18n/text'
import { Note } from '#/ui/Note'
import type { Probed } from '#/workbench/probe'

export function Refused({ of, missing }: { of: Probed<unknown> | undefined; missing: string }) {
  const t = useText()
  if (!of || of.state === 'there') return null
  if (of.state === 'missing') return <p className="soft sm">{missing}</p>
  return (
    <Note kind="offline" icon="lock">
      <p>
        <strong>{t('bench.notAllowed')}</strong>{' '}
        {of.permission
          ? t('shell.needsPermission', { permission: of.permission })
          : t('bench.operatorsOnly')}
      </p>
    </Note>
  )
}
