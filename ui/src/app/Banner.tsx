// The one banner over the sheet: no answer yet, or offline with the next try.
import { useEffect, useState } from 'react'
import { connection } from '#/api/connection'
import { useConnection } from '#/api/useConnection'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Icon } from '#/ui/Icon'
import styles from './Banner.module.css'

export function Banner() {
  const t = useText()
  const formats = useFormats()
  const { away, offline, since, nextAt } = useConnection()
  if (!away) return null
  return (
    <section
      className={styles.banner}
      aria-label={offline ? t('shell.isOffline') : t('shell.away')}
    >
      <Icon name="cloud-off" />
      <p className="grow" role="status">
        <strong>
          {offline ? t('shell.offlineSince', { time: formats.clock(since) }) : t('shell.away')}
        </strong>{' '}
        {offline ? t('shell.offlineWhat') : t('shell.awayWhat')}
      </p>
      {offline ? (
        <>
          <Countdown until={nextAt} />
          <Button small onPress={() => void connection.ask()}>
            {t('shell.tryNow')}
          </Button>
        </>
      ) : null}
    </section>
  )
}

function Countdown({ until }: { until: number }) {
  const t = useText()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return <span className="tnum">{t('shell.nextTry', { seconds })}</span>
}
