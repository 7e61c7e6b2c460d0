// One of the two parts of a queue: what is being filled stands still, what waits can be moved.
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { PersonLink } from '#/patrons/PersonLink'
import { RequestState } from '#/requests/RequestState'
import type { Request } from '#/requests/types'
import { kindId } from '#/requests/words'
import { Outcome } from '#/ui/Badge'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Icon } from '#/ui/Icon'
import styles from '../requests.module.css'

interface Props {
  title: string
  help: string
  requests: readonly Request[]
  /** The place of the first, from 0. */
  first: number
  isFixed?: boolean
  lifted: string | undefined
  /** As the server has it. */
  stored: readonly Request[]
  disabled: string | undefined
  onKey: (event: KeyboardEvent, request: Request) => void
  onDrag: (id: string, to: number) => void
}

const TYPE = 'application/x-octavo-request'

export function QueuePart(props: Props) {
  const { title, help, requests, first, isFixed, lifted, stored, disabled, onKey, onDrag } = props
  const t = useText()
  const { number, day } = useFormats()
  return (
    <section aria-label={title}>
      <div className="row wrap">
        <h2>{title}</h2>
        <span className="muted sm">{disabled && !isFixed ? disabled : help}</span>
      </div>
      <div className={styles.queue}>
        <div className={styles.cols} aria-hidden="true">
          <span />
          <span className="num">{t('request.number')}</span>
          <span>{t('request.requester')}</span>
          <span className={styles.group}>{t('request.group')}</span>
          <span>{t('request.statusOf')}</span>
          <span>{t('request.pickup')}</span>
          <span>{t('request.kindAndDate')}</span>
        </div>
        <ol start={first + 1}>
          {requests.map((one, at) => {
            const name = fullName(one.requester ?? {})
            const isLifted = lifted === one.id
            const before = stored.findIndex((other) => other.id === one.id) + 1
            return (
              <li
                key={one.id}
                className={cx(isLifted && styles.lifted)}
                draggable={!isFixed && !disabled}
                onDragStart={(event) => {
                  event.dataTransfer.setData(TYPE, one.id)
                  event.dataTransfer.effectAllowed = 'move'
                }}
                onDragOver={(event) =>
                  !isFixed && event.dataTransfer.types.includes(TYPE) && event.preventDefault()
                }
                onDrop={(event) => {
                  event.preventDefault()
                  onDrag(event.dataTransfer.getData(TYPE), first + at)
                }}
              >
                <div className={styles.line}>
                  {isFixed ? (
                    <span />
                  ) : (
                    <button
                      type="button"
                      className={styles.grip}
                      aria-label={t('request.move', { name, place: number(first + at + 1) })}
                      aria-pressed={isLifted}
                      aria-disabled={disabled ? true : undefined}
                      onKeyDown={(event) => onKey(event, one)}
                    >
                      <Icon name="grip-vertical" />
                    </button>
                  )}
                  <span className={styles.place}>{number(first + at + 1)}</span>
                  <span className={styles.who}>
                    <PersonLink
                      id={one.requesterId}
                      person={one.requester}
                      className="strong plain cut"
                    />
                    <span className="sm muted">
                      {one.requester?.barcode ? <Code>{one.requester.barcode}</Code> : null}
                    </span>
                  </span>
                  <span className={cx('soft', styles.opt, styles.group)}>
                    <bdi>{one.requester?.patronGroup?.group}</bdi>
                  </span>
                  <span className={styles.state}>
                    {isLifted ? (
                      <Outcome kind="question" icon="move-vertical">
                        {t('request.was', { place: number(before) })}
                      </Outcome>
                    ) : (
                      <RequestState request={one} />
                    )}
                  </span>
                  <span className={cx('soft cut', styles.opt)}>
                    <bdi>{one.pickupServicePoint?.name ?? t('request.delivery')}</bdi>
                  </span>
                  <span className={cx('soft', styles.opt)}>
                    <Link to="/requests/$requestId" params={{ requestId: one.id }}>
                      {t(kindId(one.requestType))} · {day(one.requestDate)}
                    </Link>
                  </span>
                </div>
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}
