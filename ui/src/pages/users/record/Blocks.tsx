// The blocks of the user: those that the limits of the group make, and those that staff put on.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { remove } from '#/api/client'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { blocksQuery } from '#/patrons/queries'
import type { ManualBlock } from '#/patrons/types'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { BlockForm } from './BlockForm'
import { isCurrent } from './BlockNote'
import styles from './record.module.css'

export function Blocks({ userId }: { userId: string }) {
  const t = useText()
  const formats = useFormats()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(blocksQuery(userId))
  const mayAdd = useNeeds('manualblocks.item.post')
  const mayEdit = useNeeds('manualblocks.item.put')
  const mayRemove = useNeeds('manualblocks.item.delete')
  const act = useAct()
  const [draft, setDraft] = useState<Partial<ManualBlock>>()
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return null
  const done = () => client.invalidateQueries({ queryKey: blocksQuery(userId).queryKey })
  const kinds = (one: { borrowing?: boolean; renewals?: boolean; requests?: boolean }) =>
    formats.list(
      [
        one.borrowing && t('users.borrowing'),
        one.renewals && t('users.renewals'),
        one.requests && t('users.requestsKind'),
      ].filter((part): part is string => Boolean(part)),
    )
  return (
    <section className="stack wide" aria-label={t('users.blocks')}>
      <div className="row">
        <Button
          small
          icon="plus"
          disabled={mayAdd.reason}
          onPress={() => setDraft({ userId, borrowing: true, renewals: true, requests: true })}
        >
          {t('users.newBlock')}
        </Button>
      </div>
      <NotDone failure={act.failure} />
      {draft ? (
        <BlockForm
          block={draft}
          onDone={async () => {
            setDraft(undefined)
            await done()
          }}
          onClose={() => setDraft(undefined)}
        />
      ) : null}
      {data.manual.length + data.automated.length === 0 ? (
        <Empty icon="check" title={t('users.noBlocks')} text={t('users.noBlocksWhat')} />
      ) : null}
      <ul>
        {data.automated.map((one) => (
          <li key={one.patronBlockConditionId} className={styles.note}>
            <div className="row wrap">
              <Badge kind="blocked" icon="ban">
                {t('users.automatic')}
              </Badge>
              <span className="medium">
                <bdi>{one.message}</bdi>
              </span>
            </div>
            <p className="sm soft">
              {t('users.blocksWhat', {
                what: kinds({
                  borrowing: one.blockBorrowing,
                  renewals: one.blockRenewals,
                  requests: one.blockRequests,
                }),
              })}
            </p>
          </li>
        ))}
        {data.manual.map((one) => (
          <li key={one.id} className={styles.note}>
            <div className="row wrap">
              <Badge kind={isCurrent(one) ? 'blocked' : 'offline'} icon="ban">
                {isCurrent(one) ? t('users.byStaff') : t('users.ended')}
              </Badge>
              <bdi className="medium">{one.desc}</bdi>
              <span className="row push">
                <Button small kind="quiet" disabled={mayEdit.reason} onPress={() => setDraft(one)}>
                  {t('users.change')}
                </Button>
                <Button
                  small
                  kind="quiet"
                  disabled={mayRemove.reason}
                  aria-label={t('users.liftBlock', { text: one.desc ?? '' })}
                  onPress={() =>
                    void act
                      .run(() => remove(`/manualblocks/${one.id}`))
                      .then((ok) => (ok ? done() : undefined))
                  }
                >
                  {t('users.lift')}
                </Button>
              </span>
            </div>
            <p className="sm soft">
              {t('users.blocksWhat', { what: kinds(one) })}
              {one.expirationDate
                ? ` · ${t('users.until', { date: formats.day(one.expirationDate) })}`
                : ''}
            </p>
            {one.staffInformation ? (
              <p className="sm muted" dir="auto">
                {one.staffInformation}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
