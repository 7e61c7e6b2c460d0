// The one banner over the sheet: no connection, then nothing else.
import { useSyncExternalStore } from 'react'
import { connection } from '#/api/connection'
import { useText } from '#/i18n/text'
import { Icon } from '#/ui/Icon'
import styles from './Banner.module.css'

export function Banner() {
  const t = useText()
  const away = useSyncExternalStore(connection.subscribe, connection.isAway)
  if (!away) return null
  return (
    <div className={styles.banner} role="status">
      <Icon name="cloud-off" />
      <p>
        <strong>{t('shell.away')}</strong> {t('shell.awayWhat')}
      </p>
    </div>
  )
}
