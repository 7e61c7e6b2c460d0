// One record of a job: why, what was made, and the record as it was read.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { incomingQuery, type LogLine } from '#/transfer/jobs'
import { reasonOf } from '#/transfer/words'
import { Button } from '#/ui/Button'
import card from '#/ui/Card.module.css'
import { cx } from '#/ui/cx'
import { Failed } from '#/ui/Failed'
import styles from './import-job.module.css'

interface Props {
  line: LogLine
  title: string
  onClose: () => void
}

export function OpenRecord({ line, title, onClose }: Props) {
  const t = useText()
  const { data, error } = useQuery(incomingQuery(line.incomingRecordId))
  const [instanceId] = line.relatedInstanceInfo?.idList ?? []
  const [hrid] = line.relatedInstanceInfo?.hridList ?? []
  const { orderId, idList: lineIds = [], hridList: lineNumbers = [] } = line.relatedPoLineInfo ?? {}
  const { idList: invoiceIds = [], hridList: invoiceNumbers = [] } = line.relatedInvoiceInfo ?? {}
  const [[lineId], [lineNumber]] = [lineIds, lineNumbers]
  const [[invoiceId], [invoiceNumber]] = [invoiceIds, invoiceNumbers]
  return (
    <section className={cx(card.card, 'stack')} aria-label={title}>
      <div className="row wrap">
        <h3>
          <bdi>{title}</bdi>
        </h3>
        <span className="push">
          <Button small kind="quiet" icon="x" onPress={onClose}>
            {t('shell.close')}
          </Button>
        </span>
      </div>
      {reasonOf(line) ? <p dir="auto">{reasonOf(line)}</p> : null}
      {instanceId ? (
        <p>
          <Link to="/inventory/$instanceId" params={{ instanceId }} search={{}}>
            {t('data.toTitle', { hrid: hrid ?? '' })}
          </Link>
        </p>
      ) : null}
      {lineId && orderId ? (
        <p>
          <Link to="/orders/$id/lines/$lineId" params={{ id: orderId, lineId }}>
            {t('data.toOrder', { number: lineNumber ?? '' })}
          </Link>
        </p>
      ) : null}
      {invoiceId ? (
        <p>
          <Link to="/invoices/$id" params={{ id: invoiceId }}>
            {t('data.toInvoice', { number: invoiceNumber ?? '' })}
          </Link>
        </p>
      ) : null}
      {error ? <Failed error={error} /> : null}
      {data ? (
        <section aria-label={t('data.asRead')}>
          <pre className={styles.read}>
            {readable(data.parsedRecordContent ?? data.rawRecordContent ?? '')}
          </pre>
        </section>
      ) : null}
    </section>
  )
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1)
  } catch {
    return text.replaceAll('\u001e', '\n').replaceAll('\u001f', ' $')
  }
}
