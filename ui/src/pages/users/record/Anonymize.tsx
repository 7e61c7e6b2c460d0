// Takes the patron's name from all closed loans; those with fees keep it. It cannot be undone.
import { useState } from 'react'
import { post } from '#/api/client'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { fullName } from '#/lib/names'
import { useNeeds } from '#/lib/permissions'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'

interface Answer {
  anonymizedLoans?: string[]
  errors?: { parameters?: { key: string; value?: string }[] }[]
}

interface Props {
  user: Patron
  onDone: () => void
}

export function Anonymize({ user, onDone }: Props) {
  const t = useText()
  const { reason } = useNeeds('circulation.loans.collection.anonymize.user.post')
  const act = useAct()
  const [asks, setAsks] = useState(false)
  const [said, setSaid] = useState<string>()
  const run = () =>
    act.run(async () => {
      const answer = await post<Answer>(`/loan-anonymization/by-user/${user.id}`, {})
      const counts = { done: answer.anonymizedLoans?.length ?? 0, kept: keptIn(answer) }
      const text = t('loans.anonymized', counts)
      setSaid(text)
      announce(text)
      onDone()
    })
  return (
    <>
      <NotDone failure={act.failure} />
      <span className="sm soft" role="status">
        {said}
      </span>
      <Button small disabled={reason} busy={act.busy} onPress={() => setAsks(true)}>
        {t('loans.anonymize')}
      </Button>
      <Dialog
        title={t('loans.askAnonymize', { name: fullName(user.personal) })}
        open={asks}
        onClose={() => setAsks(false)}
        closeText={t('loans.keepNames')}
        act={{ text: t('loans.doAnonymize'), danger: true, run: () => void run() }}
      >
        <p>{t('loans.anonymizeWhat')}</p>
      </Dialog>
    </>
  )
}

/** The server names the loans that it kept as a list inside a text. */
function keptIn({ errors = [] }: Answer): number {
  const ids = errors.flatMap(({ parameters = [] }) =>
    parameters.flatMap(({ key, value = '' }) =>
      key === 'loanIds' ? (value.match(/[0-9a-f-]{36}/gi) ?? []) : [],
    ),
  )
  return new Set(ids).size
}
