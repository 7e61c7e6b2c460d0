// Why an act was not done: our words by the kind of failure, the server's reasons as it gave them.
import { detailOf, type Failure } from '#/api/errors'
import { useText } from '#/i18n/text'
import { Note } from '#/ui/Note'

export function NotDone({ failure, text }: { failure: Failure | undefined; text?: string }) {
  const t = useText()
  if (!failure) return null
  const detail = detailOf(failure)
  return (
    <Note kind="blocked" alert>
      <p>
        <strong>{t('forms.notDone')}</strong> {text ?? t(`shell.failure.${failure.kind}`)}
      </p>
      {detail ? (
        <p className="sm soft" dir="auto">
          {detail}
        </p>
      ) : null}
    </Note>
  )
}
