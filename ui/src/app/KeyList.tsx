// The keys of this page, behind "?".
import { useText } from '#/i18n/text'
import { keysOf } from '#/keys/profiles'
import { useAllCommands } from '#/keys/useCommands'
import { Dialog } from '#/ui/Dialog'
import { Key } from '#/ui/Key'
import styles from './KeyList.module.css'

const GROUPS = ['page', 'go', 'app'] as const

export function KeyList({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  const commands = useAllCommands()
  return (
    <Dialog
      title={t('shell.keysOfPage')}
      open={open}
      onClose={onClose}
      closeText={t('shell.close')}
    >
      {GROUPS.map((group) => {
        const shown = commands.filter((one) => one.group === group && keysOf(one) && !one.hidden)
        if (!shown.length) return null
        return (
          <section key={group} className="stack tight">
            <h3>{t(`shell.keys.${group}`)}</h3>
            <dl className={styles.keys}>
              {shown.map((command) => (
                <div key={command.id}>
                  <dt>{t(command.title)}</dt>
                  <dd>
                    <Key combo={keysOf(command) ?? ''} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )
      })}
    </Dialog>
  )
}
