// The MARC editor of an authority, and of an authority that is being made.
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient, useLoaded } from '#/api/query'
import { AuthorityPath } from '#/authorities/AuthorityPath'
import {
  authorityQuery,
  authorizedOf,
  ownFormsQuery,
  sourceFilesQuery,
} from '#/authorities/queries'
import type { SourceFile } from '#/authorities/types'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { checkFile, checkHeading, effectOf } from '#/marc/authority'
import { blankAuthority } from '#/marc/blank'
import { toFields } from '#/marc/model'
import { marcQuery } from '#/marc/queries'
import type { Draft } from '#/marc/useEditor'
import { Note } from '#/ui/Note'
import { Editor } from './Editor'
import { FileChoice } from './FileChoice'

const NEW = 'new'

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'authorities'),
    // What is stored now, not what was cached.
    ...(id === NEW
      ? [queryClient.ensureQueryData(sourceFilesQuery)]
      : [
          queryClient.fetchQuery({ ...authorityQuery(id), staleTime: 0 }),
          queryClient.fetchQuery({ ...marcQuery(id), staleTime: 0 }),
          queryClient.fetchQuery({ ...ownFormsQuery(id), staleTime: 0 }),
        ]),
  ])
}

export function AuthorityEditorPage() {
  const { authorityId } = useParams({ from: '/shell/authorities/$authorityId/edit' })
  return authorityId === NEW ? <Fresh /> : <Stored key={authorityId} id={authorityId} />
}

function useToRecord() {
  const navigate = useNavigate()
  return (authorityId: string) =>
    navigate({ to: '/authorities/$authorityId', params: { authorityId } })
}

function Stored({ id }: { id: string }) {
  const t = useText()
  const authority = useLoaded(authorityQuery(id))
  const record = useLoaded(marcQuery(id))
  const heading = authorizedOf(useLoaded(ownFormsQuery(id)))
  const count = heading?.numberOfTitles ?? 0
  const effect = ({ lines }: Draft) =>
    count ? effectOf(record.fields, toFields(lines)) : undefined
  return (
    <Editor
      title={t('authority.edit')}
      path={
        <AuthorityPath
          kind="MARC"
          number={authority.naturalId}
          heading={{ id, text: heading?.headingRef ?? id }}
        />
      }
      record={record}
      version={authority._version}
      above={(draft) => {
        if (!count) return null
        const found = effect(draft)
        return (
          <Note kind={found ? 'fee' : 'offline'} bar>
            <p>
              <strong>{t('authority.follow', { count })}</strong>{' '}
              {found ? t(`authority.effect.${found}`, { count }) : null}
            </p>
          </Note>
        )
      }}
      checks={({ lines }) => checkHeading(lines, t)}
      question={(draft) => {
        const found = effect(draft)
        if (!found) return undefined
        return {
          title: t(`authority.ask.${found}`, { count }),
          text: t(`authority.effect.${found}`, { count }),
          act: t('forms.save'),
        }
      }}
      onSaved={useToRecord()}
    />
  )
}

function Fresh() {
  const t = useText()
  const [record] = useState(blankAuthority)
  const [file, setFile] = useState<SourceFile>()
  return (
    <Editor
      title={t('authority.new')}
      path={<AuthorityPath kind="MARC" />}
      record={record}
      above={(draft, change) => (
        <FileChoice file={file} onFile={setFile} draft={draft} change={change} />
      )}
      checks={({ lines }) => [...checkFile(lines, file, t), ...checkHeading(lines, t)]}
      onSaved={useToRecord()}
    />
  )
}
