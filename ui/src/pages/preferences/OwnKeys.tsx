// The keys of all commands that are here now, each to be changed; a combination is given once.
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { comboOf } from '#/keys/combos'
import { keysOf, ownKeys } from '#/keys/profiles'
import { useAllCommands } from '#/keys/useCommands'
import { useStored } from '#/lib/useStored'
import { Button } from '#/ui/Button'
import { Key } from '#/ui/Key'
import styles from './preferences.module.css'

const ALONE = /^(Shift|Control|Alt|Meta|Tab)$/

export function OwnKeys() {
  const t = useText()
  const [own, write] = useStored(ownKeys)
  const [asking, setAsking] = useState<string>()
  const [taken, setTaken] = useState<string>()
  const commands = useAllCommands().filter((one) => keysOf(one) && !one.hidden)
  const take = (id: string, combo: string) => {
    const other = commands.find((one) => one.id !== id && keysOf(one) === combo)
    setTaken(other ? t('prefs.keyTaken', { combo, name: t(other.title) }) : undefined)
    if (!other) write({ ...own, [id]: combo })
    setAsking(undefined)
  }
  return (
    <>
      <ul className={styles.keys}>
        {commands.map((command) => (
          <li key={command.id}>
            <span>{t(command.title)}</span>
            <Button
              small
              kind="quiet"
              onPress={() => setAsking(command.id)}
              onKeyDown={(event) => {
                if (asking !== command.id || ALONE.test(event.key)) return
                event.preventDefault()
                event.stopPropagation()
                if (event.key === 'Escape') setAsking(undefined)
                else take(command.id, comboOf(event.nativeEvent ?? event))
              }}
            >
              <span className="vh">{t('prefs.changeKey', { name: t(command.title) })}</span>
              {asking === command.id ? t('prefs.pressKey') : <Key combo={keysOf(command) ?? ''} />}
            </Button>
          </li>
        ))}
      </ul>
      {taken ? (
        <p role="alert" className="sm">
          {taken}
        </p>
      ) : null}
      <div className="row">
        <Button small icon="rotate-ccw" onPress={() => write({})}>
          {t('prefs.resetKeys')}
        </Button>
      </div>
    </>
  )
}
