// A part that could not be had: what failed, "Try again", the server's words folded.
import { detailOf, failureOf } from '#/api/errors'
import { useText } from '#/i18n/text'
import { Button } from './Button'
import { Note } from './Note'

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useText()
  const failure = failureOf(error)
  const detail = detailOf(failure)
  return (
    <Note kind="blocked" alert>
      <p>
        <strong>{t('shell.notLoaded')}</strong> {t(`shell.failure.${failure.kind}`)}
      </p>
      {retry ? (
        <div className="row">
          <Button small icon="rotate-ccw" onPress={retry}>
            {t('shell.tryAgain')}
          </Button>
        </div>
      ) : null}
      {detail ? (
        <details>
          <summary className="sm">{t('shell.details')}</summary>
          <p className="sm soft" dir="auto">
            {detail}
          </p>
        </details>
      ) : null}
    </Note>
  )
}
