// The source file of a new authority. A local file gives the number at once, as its count goes on; the number of another
// one stands in 010 $a, and 001 follows it.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { detailOf, type Failure, failureOf } from '#/api/errors'
import { useLoaded } from '#/api/query'
import { nextNumber, sourceFilesQuery } from '#/authorities/queries'
import type { SourceFile } from '#/authorities/types'
import { useText } from '#/i18n/text'
import { numbered } from '#/marc/authority'
import styles from '#/marc/marc.module.css'
import { subfieldOf } from '#/marc/model'
import type { Draft } from '#/marc/useEditor'
import { cx } from '#/ui/cx'
import { Note } from '#/ui/Note'
import { Select } from '#/ui/Select'
import type { Change } from './Editor'

interface Props {
  file: SourceFile | undefined
  onFile: (file: SourceFile) => void
  draft: Draft
  change: Change
}

const LOCAL = 'local'

export function FileChoice({ file, onFile, draft, change }: Props) {
  const t = useText()
  const client = useQueryClient()
  const files = useLoaded(sourceFilesQuery).filter((one) => one.selectable)
  const [failure, setFailure] = useState<Failure>()
  /** A number that was given is not given again: who chooses another file and comes back has it still. */
  const given = useRef(new Map<string, string>())
  const put = (number: string) =>
    change('number', (now) => ({ ...now, lines: numbered(now.lines, number) }))
  const first = draft.lines.find(({ tag }) => tag === '010')
  const lccn = subfieldOf(first?.content, 'a')
  const own = draft.lines.find(({ tag }) => tag === '001')?.content
  useEffect(() => {
    if (file && file.source !== LOCAL && own !== lccn) put(lccn)
  })
  const choose = async (id: string) => {
    const chosen = files.find((one) => one.id === id)
    if (!chosen) return
    setFailure(undefined)
    onFile(chosen)
    if (chosen.source !== LOCAL) return
    try {
      const number = given.current.get(id) ?? (await nextNumber(id))
      given.current.set(id, number)
      put(number)
      await client.invalidateQueries(sourceFilesQuery)
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  if (!files.length)
    return (
      <Note kind="fee" bar>
        <p>
          {t('authority.noFiles')}{' '}
          <Link to="/settings" search={{ of: 'authority-files' }}>
            {t('set.authorityFiles')}
          </Link>
        </p>
      </Note>
    )
  return (
    <div className={cx('stack', styles.file)}>
      <Select
        label={t('authority.facet.sourceFileId')}
        placeholder={t('authority.chooseFile')}
        help={file && t(file.source === LOCAL ? 'authority.numberGiven' : 'authority.numberOf010')}
        value={file?.id}
        choices={files.map((one) => ({
          value: one.id,
          text: `${one.name} (${one.codes?.join(', ') ?? ''})`,
        }))}
        onChange={(id) => void choose(id)}
      />
      {failure ? (
        <Note kind="blocked" alert bar>
          <p>{detailOf(failure) || t(`shell.failure.${failure.kind}`)}</p>
        </Note>
      ) : null}
    </div>
  )
}
