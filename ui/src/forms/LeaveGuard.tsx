// Leaving a form with changes is asked in place; closing the tab by the browser's own question.
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'

/** `isDirty` is asked when somebody leaves: after a save it is false at once. */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isDirty(),
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  const asks = blocker.status === 'blocked'
  useEffect(() => {
    if (asks) place.current?.querySelector('button')?.focus()
  }, [asks])
  if (blocker.status !== 'blocked') return null
  return (
    <div ref={place}>
      <Note kind="question" alert bar>
        <p>
          <strong>{t('forms.leave')}</strong> {t('forms.leaveWhat')}
        </p>
        <div className="row wrap">
          <Button small onPress={blocker.reset}>
            {t('forms.stay')}
          </Button>
          <Button small kind="danger" onPress={blocker.proceed}>
            {t('forms.discard')}
          </Button>
        </div>
      </Note>
    </div>
  )
}
