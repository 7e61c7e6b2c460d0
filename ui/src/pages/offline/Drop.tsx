// Why a refused scan is not done. It stays on record with the reason.
import { type FormEvent, useState } from 'react'
import { useText } from '#/i18n/text'
import { queue } from '#/offline/queue'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'
import styles from './offline.module.css'

export function Drop({ id, onBack }: { id: string; onBack: () => void }) {
  const t = useText()
  const [why, setWhy] = useState('')
  const [tried, setTried] = useState(false)
  const drop = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!why.trim()) return
    void queue.settle({ id, state: 'dropped', at: Date.now(), why: why.trim() })
  }
  return (
    <form className={styles.card} onSubmit={drop}>
      <TextField
        label={t('offline.dropWhy')}
        mark="needed"
        value={why}
        onChange={setWhy}
        error={tried && !why.trim() ? t('offline.dropWhyNeeded') : undefined}
        autoFocus
      />
      <div className="row">
        <Button kind="danger" type="submit">
          {t('offline.dropNow')}
        </Button>
        <Button kind="quiet" onPress={onBack}>
          {t('offline.back')}
        </Button>
      </div>
    </form>
  )
}
