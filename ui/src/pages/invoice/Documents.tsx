// The documents of an invoice: files and links. The list has no contents; a file is read when somebody wants it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changed } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { Invoice } from '#/acquisitions/types'
import { remove } from '#/api/client'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Failed } from '#/ui/Failed'
import { RowActs } from '#/ui/RowActs'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { AddDocument } from './AddDocument'
import { documentsPath, documentsQuery, type InvoiceDocument, saveFile } from './documents'

/** Only links that a browser opens as pages: an address comes from strangers. */
const isWeb = (address: string | undefined) => /^https?:\/\//i.test(address ?? '')

export function Documents({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const { number, day } = useFormats()
  const read = useNeeds('invoice.invoices.documents.collection.get')
  const open = useNeeds('invoice.invoices.documents.item.get')
  const add = useNeeds('invoice.invoices.documents.item.post')
  const drop = useNeeds('invoice.invoices.documents.item.delete')
  const { data, error, refetch } = useQuery({
    ...documentsQuery(invoice.id),
    enabled: read.allowed,
  })
  const [adding, setAdding] = useState(false)
  const [dropping, setDropping] = useState<InvoiceDocument>()
  const act = useAct()
  const save = (document: InvoiceDocument) => act.run(() => saveFile(invoice.id, document))
  const take = async () => {
    if (!dropping) return
    const done = await act.run(() => remove(`${documentsPath(invoice.id)}/${dropping.id}`))
    if (!done) return
    announce(t('fin.documentGone', { name: dropping.name }))
    setDropping(undefined)
    await changed()
  }
  const columns: Column<InvoiceDocument>[] = [
    {
      id: 'name',
      title: t('acq.name'),
      kind: 'main',
      cell: (one) =>
        isWeb(one.url) ? (
          <a href={one.url} rel="noreferrer" target="_blank" tabIndex={-1}>
            <bdi>{one.name}</bdi>
          </a>
        ) : (
          <bdi>{one.name}</bdi>
        ),
    },
    {
      id: 'kind',
      title: t('acq.what'),
      width: 14,
      soft: true,
      cell: ({ url }) => (url === undefined ? t('fin.file') : <bdi>{url}</bdi>),
    },
    {
      id: 'date',
      title: t('acq.date'),
      width: 10,
      wide: true,
      cell: ({ metadata }) => (metadata?.createdDate ? day(metadata.createdDate) : null),
    },
    {
      id: 'menu',
      title: t('acq.more'),
      kind: 'menu',
      width: 3,
      cell: (one) => (
        <RowActs
          name={one.name}
          acts={[
            ...(one.url === undefined
              ? [
                  {
                    id: 'save',
                    text: t('fin.saveFile'),
                    icon: 'download' as const,
                    disabled: open.reason,
                    run: () => void save(one),
                  },
                ]
              : []),
            {
              id: 'delete',
              text: t('fin.delete'),
              icon: 'trash-2',
              disabled: drop.reason,
              run: () => setDropping(one),
            },
          ]}
        />
      ),
    },
  ]
  const documents = data ?? []
  return (
    <Section
      title={t('fin.documents')}
      count={data && number(documents.length)}
      acts={
        <Button small icon="plus" disabled={add.reason} onPress={() => setAdding(true)}>
          {t('fin.addDocument')}
        </Button>
      }
    >
      {adding ? <AddDocument invoiceId={invoice.id} onClose={() => setAdding(false)} /> : null}
      {dropping ? (
        <ConfirmCard
          title={t('fin.deleteDocument', { name: dropping.name })}
          act={t('fin.delete')}
          danger
          busy={act.busy}
          onAct={() => void take()}
          onClose={() => setDropping(undefined)}
        />
      ) : null}
      <Refused failure={act.failure} />
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {documents.length ? (
        <Table
          label={t('fin.documents')}
          columns={columns}
          rows={rowsOf(documents)}
          keyOf={(one) => one.id}
          nameOf={(one) => one.name}
          onOpen={(one) => {
            if (one.url === undefined) void save(one)
            else if (isWeb(one.url)) window.open(one.url, '_blank', 'noreferrer')
          }}
        />
      ) : (
        <p className="sm muted">{read.reason ?? t('fin.noDocuments')}</p>
      )}
    </Section>
  )
}
