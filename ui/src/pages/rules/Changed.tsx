// Somebody else saved other rules meanwhile: both side by side, the lines that only one has are marked.
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'
import styles from './rules.module.css'

interface Props {
  mine: string
  theirs: string
  onMine: () => void
  onTheirs: () => void
}

export function Changed({ mine, theirs, onMine, onTheirs }: Props) {
  const t = useText()
  return (
    <Note kind="fee" alert>
      <p>
        <strong>{t('rules.changed')}</strong> {t('rules.changedWhat')}
      </p>
      <div className={styles.lines}>
        <Version title={t('rules.mine')} text={mine} other={theirs} />
        <Version title={t('rules.theirs')} text={theirs} other={mine} />
      </div>
      <div className="row wrap">
        <Button small onPress={onMine}>
          {t('rules.saveMine')}
        </Button>
        <Button small onPress={onTheirs}>
          {t('rules.takeTheirs')}
        </Button>
      </div>
    </Note>
  )
}

function Version({ title, text, other }: { title: string; text: string; other: string }) {
  const known = new Set(other.split('\n'))
  return (
    <div>
      <h3>{title}</h3>
      <pre>
        {text.split('\n').map((line, at) => {
          const key = `${at} ${line}`
          return known.has(line) ? (
            <span key={key}>{`${line}\n`}</span>
          ) : (
            <mark key={key}>{`${line}\n`}</mark>
          )
        })}
      </pre>
    </div>
  )
}
