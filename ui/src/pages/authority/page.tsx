// An authority: its headings, its MARC record, and the titles that follow it.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { remove } from '#/api/client'
import { queryClient, useLoaded } from '#/api/query'
import { AuthorityPath } from '#/authorities/AuthorityPath'
import { lastSearch } from '#/authorities/lastSearch'
import {
  authorityQuery,
  authorizedOf,
  linkedTitlesQuery,
  ownFormsQuery,
  recordQuery,
  sourceFilesQuery,
  titlesOf,
} from '#/authorities/queries'
import type { Form } from '#/authorities/types'
import { useWords } from '#/authorities/words'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { Facts, lines } from '#/inventory/Facts'
import { useActs } from '#/inventory/useActs'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { MarcLines } from '#/marc/MarcLines'
import { useMarcSave } from '#/transfer/useMarcSave'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Menu } from '#/ui/Menu'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'authorities'),
    queryClient.ensureQueryData(authorityQuery(id)),
    queryClient.ensureQueryData(ownFormsQuery(id)),
    queryClient.ensureQueryData(recordQuery(id)),
    queryClient.prefetchQuery(sourceFilesQuery),
  ])
}

export function AuthorityPage() {
  const t = useText()
  const navigate = useNavigate()
  const { authorityId: id } = useParams({ from: '/shell/authorities/$authorityId' })
  const authority = useLoaded(authorityQuery(id))
  const forms = useLoaded(ownFormsQuery(id))
  const record = useLoaded(recordQuery(id))
  const words = useWords()
  const mayEdit = useNeeds('marc-records-editor.item.put')
  const heading = authorizedOf(forms)
  const name = heading?.headingRef ?? authority.naturalId ?? id
  const reason = mayEdit.reason ?? (record ? undefined : t('authority.noMarc'))
  const edit = () =>
    void navigate({ to: '/authorities/$authorityId/edit', params: { authorityId: id } })
  useCommands([
    {
      id: 'record.edit',
      title: 'inventory.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: reason,
      run: edit,
    },
  ])
  return (
    <>
      <RecordHead
        title={name}
        path={<AuthorityPath number={authority.naturalId} />}
        sub={words.kind(heading?.headingType)}
      >
        <Button kind="primary" icon="pencil" keys="Alt+E" disabled={reason} onPress={edit}>
          {t('inventory.edit')}
        </Button>
        {record ? (
          <HistoryButton kind="authority" id={record.parsedRecordDtoId} name={name} />
        ) : null}
        <Acts id={id} name={name} links={heading?.numberOfTitles} />
      </RecordHead>
      <div className={cx(page.split, page.record)}>
        <div className={cx(page.body, page.first, 'stack far')}>
          <Forms forms={forms} />
          <Section title={t('inventory.marc')}>
            {record ? (
              <MarcLines record={record} />
            ) : (
              <p className="muted">{t('authority.noMarc')}</p>
            )}
          </Section>
        </div>
        <aside className={cx(page.side, 'stack far')} aria-label={t('inventory.inShort')}>
          <Titles id={id} />
          <InShort id={id} />
        </aside>
      </div>
    </>
  )
}

/** What may be typed instead of the heading, and what stands beside it. */
function Forms({ forms }: { forms: readonly Form[] }) {
  const t = useText()
  const words = useWords()
  const of = (ref: Form['authRefType']) =>
    lines(forms.filter((one) => one.authRefType === ref).map((one) => one.headingRef))
  return (
    <Section title={t('authority.headings')}>
      <Facts
        facts={[
          [words.ref('Authorized'), of('Authorized')],
          [words.ref('Reference'), of('Reference')],
          [words.ref('Auth/Ref'), of('Auth/Ref')],
        ]}
      />
    </Section>
  )
}

function InShort({ id }: { id: string }) {
  const t = useText()
  const { day } = useFormats()
  const words = useWords()
  const authority = useLoaded(authorityQuery(id))
  return (
    <section className="stack">
      <h2>{t('inventory.record')}</h2>
      <Facts
        small
        facts={[
          [
            t('authority.facet.sourceFileId'),
            authority.sourceFileId ? (
              <bdi>{words.file(authority.sourceFileId)}</bdi>
            ) : (
              t('authority.noFile')
            ),
          ],
          [
            t('authority.number'),
            authority.naturalId ? <Code plain>{authority.naturalId}</Code> : undefined,
          ],
          [t('authority.facet.subjectHeadings'), words.thesaurus(authority.subjectHeadings)],
          [t('inventory.source'), authority.source],
          [t('inventory.created'), day(authority.metadata?.createdDate ?? '')],
          [t('inventory.updated'), day(authority.metadata?.updatedDate ?? '')],
        ]}
      />
    </section>
  )
}

/** The first of the titles that follow the authority, and the way to all of them. */
function Titles({ id }: { id: string }) {
  const t = useText()
  const maySearch = useNeeds('search.instances.collection.get')
  const { data } = useQuery({ ...linkedTitlesQuery(id), enabled: maySearch.allowed })
  return (
    <section className="stack" aria-label={t('authority.linkedTitles')}>
      <h2>{t('authority.linkedTitles')}</h2>
      {maySearch.reason ? <p className="sm muted">{maySearch.reason}</p> : null}
      {data?.instances.length ? (
        <ul className="stack tight sm">
          {data.instances.map((one) => (
            <li key={one.id}>
              <Link to="/inventory/$instanceId" params={{ instanceId: one.id }} search={{}}>
                <bdi>{one.title}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      ) : data ? (
        <p className="sm muted">{t('authority.noTitles')}</p>
      ) : null}
      {data?.totalRecords ? (
        <Link className="sm" to="/inventory" search={titlesOf(id)}>
          {t('authority.allTitles', { count: data.totalRecords })}
        </Link>
      ) : null}
    </section>
  )
}

function Acts({ id, name, links }: { id: string; name: string; links: number | undefined }) {
  const t = useText()
  const navigate = useNavigate()
  const { ask, dialogs } = useActs()
  const mayDelete = useNeeds('inventory-storage.authorities.item.delete')
  const marc = useMarcSave('AUTHORITY', name)
  const label = t('inventory.moreActions')
  return (
    <>
      <span className="sm soft" role="status">
        {marc.said}
      </span>
      <Menu
        label={label}
        trigger={<Button icon="ellipsis" aria-label={label} />}
        acts={[
          {
            id: 'marc',
            text: t('list.saveMarc'),
            icon: 'download',
            disabled: marc.reason,
            run: () => marc.save(async () => [id]),
          },
          'line',
          {
            id: 'delete',
            text: t('inventory.delete'),
            icon: 'trash-2',
            disabled: mayDelete.reason,
            run: () =>
              ask(
                {
                  title: t('inventory.deleteInstance', { name }),
                  text: [
                    links ? t('authority.deleteLinked', { count: links }) : undefined,
                    t('inventory.noUndo'),
                  ]
                    .filter(Boolean)
                    .join(' '),
                  act: t('inventory.deleteDo'),
                  run: async () => {
                    await remove(`/authority-storage/authorities/${id}`)
                    await navigate({ to: '/authorities', search: lastSearch() })
                  },
                },
                t('inventory.deleted', { name }),
              ),
          },
        ]}
      />
      {dialogs}
    </>
  )
}
