// The versions of a record, the latest first, in a pane at the end of the sheet.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Skeleton } from '#/ui/Skeleton'
import { EntryPart } from './EntryPart'
import styles from './history.module.css'
import type { HistoryKind } from './kinds'
import { editorsQuery, entriesOf, historyQuery } from './queries'
import { useShow } from './useShow'

export interface PaneProps {
  kind: HistoryKind
  id: string
  /** The record's name. */
  name: string
  /** Words for values of closed lists, such as statuses. */
  word?: (value: string) => string
  onClose: () => void
}

export function HistoryPane({ kind, id, name, word = (value) => value, onClose }: PaneProps) {
  const t = useText()
  return (
    <ModalOverlay
      className={styles.scrim ?? ''}
      isOpen
      isDismissable
      onOpenChange={(on) => !on && onClose()}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.pane ?? ''}>
          <div className={styles.head}>
            <div className="grow stack tight">
              <Heading slot="title" level={2}>
                {t('history.title')}
              </Heading>
              <p className="sm soft">
                <bdi>{name}</bdi>
              </p>
            </div>
            <Button kind="quiet" icon="x" aria-label={t('shell.close')} onPress={onClose} />
          </div>
          <Versions kind={kind} id={id} word={word} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Versions({ kind, id, word }: Required<Pick<PaneProps, 'kind' | 'id' | 'word'>>) {
  const t = useText()
  const { number } = useFormats()
  const found = useInfiniteQuery(historyQuery(kind, id))
  const entries = entriesOf(found.data?.pages ?? [])
  const ids = [...new Set(entries.flatMap((one) => one.userId ?? []))].sort()
  const { data: editors } = useQuery(editorsQuery(ids))
  const show = useShow(
    entries.flatMap((one) => one.changes ?? []),
    word,
  )
  const total = found.data?.pages[0]?.total ?? 0
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may have nothing else that takes the focus.
    <section className={styles.body} aria-label={t('history.versions')} tabIndex={0}>
      {found.error ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : found.isPending ? (
        <Skeleton share={18} />
      ) : entries.length ? (
        <div className="stack wide">
          <p className="sm muted">{t('history.count', { count: number(total), total })}</p>
          <ol className={styles.entries}>
            {entries.map((entry) => (
              <EntryPart
                key={entry.id}
                kind={kind}
                entry={entry}
                editor={entry.userId ? editors?.get(entry.userId) : undefined}
                show={show}
              />
            ))}
          </ol>
          {found.hasNextPage ? (
            <div className="row">
              <Button busy={found.isFetchingNextPage} onPress={() => void found.fetchNextPage()}>
                {t('history.older')}
              </Button>
            </div>
          ) : null}
        </div>
      ) : (
        <Empty icon="history" title={t('history.none')} text={t('history.noneWhat')} />
      )}
    </section>
  )
}
