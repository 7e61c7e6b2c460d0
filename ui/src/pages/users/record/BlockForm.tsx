// A block that staff put on a user, or change.
import { useState } from 'react'
import { post, put } from '#/api/client'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import type { ManualBlock } from '#/patrons/types'
import { Checkbox } from '#/ui/Checkbox'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { DateField } from '#/ui/DateField'
import { Fields } from '#/ui/Fields'
import { TextField } from '#/ui/TextField'

interface Props {
  block: Partial<ManualBlock>
  onDone: () => void
  onClose: () => void
}

export function BlockForm({ block, onDone, onClose }: Props) {
  const t = useText()
  const act = useAct()
  const [draft, setDraft] = useState(block)
  const [tried, setTried] = useState(false)
  const change = (patch: Partial<ManualBlock>) => setDraft({ ...draft, ...patch })
  const isNothing = !draft.borrowing && !draft.renewals && !draft.requests
  const save = async () => {
    setTried(true)
    if (!draft.desc?.trim() || isNothing) return
    const body = { ...draft, type: 'Manual' }
    const done = await act.run(() =>
      draft.id ? put(`/manualblocks/${draft.id}`, body) : post('/manualblocks', body),
    )
    if (done) onDone()
  }
  return (
    <ConfirmCard
      title={block.id ? t('users.changeBlock') : t('users.newBlock')}
      act={t('forms.save')}
      busy={act.busy}
      onAct={() => void save()}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
      <Fields>
        <TextField
          label={t('users.blockReason')}
          value={draft.desc ?? ''}
          onChange={(desc) => change({ desc })}
          error={tried && !draft.desc?.trim() ? t('users.typeReason') : undefined}
        />
        <DateField
          label={t('users.untilDate')}
          mark="optional"
          endOfDay
          value={draft.expirationDate}
          onChange={(expirationDate) => change({ expirationDate })}
        />
        <TextField
          label={t('users.staffInformation')}
          mark="optional"
          lines
          value={draft.staffInformation ?? ''}
          onChange={(staffInformation) => change({ staffInformation })}
        />
        <TextField
          label={t('users.patronMessage')}
          mark="optional"
          lines
          value={draft.patronMessage ?? ''}
          onChange={(patronMessage) => change({ patronMessage })}
        />
      </Fields>
      <div className="row wrap wide">
        <Checkbox
          checked={Boolean(draft.borrowing)}
          onChange={(borrowing) => change({ borrowing })}
        >
          {t('users.borrowing')}
        </Checkbox>
        <Checkbox checked={Boolean(draft.renewals)} onChange={(renewals) => change({ renewals })}>
          {t('users.renewals')}
        </Checkbox>
        <Checkbox checked={Boolean(draft.requests)} onChange={(requests) => change({ requests })}>
          {t('users.requestsKind')}
        </Checkbox>
      </div>
      {tried && isNothing ? (
        <p className="sm" role="alert">
          {t('users.chooseKinds')}
        </p>
      ) : null}
    </ConfirmCard>
  )
}
