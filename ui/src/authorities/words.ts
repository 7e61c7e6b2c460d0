// FOLIO's names of kinds of headings, of forms and of thesauri, in words.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type TextId, useText } from '#/i18n/text'
import { sourceFilesQuery } from './queries'

const KINDS: Readonly<Record<string, TextId>> = {
  'Personal Name': 'authority.kind.personalName',
  'Corporate Name': 'authority.kind.corporateName',
  'Conference Name': 'authority.kind.conferenceName',
  'Geographic Name': 'authority.kind.geographicName',
  'Uniform Title': 'authority.kind.uniformTitle',
  'Named Event': 'authority.kind.namedEvent',
  Topical: 'authority.kind.topical',
  Genre: 'authority.kind.genre',
  'Chronological Term': 'authority.kind.chronological',
  'Medium of Performance Term': 'authority.kind.medium',
  'General Subdivision': 'authority.kind.generalSubdivision',
  'Geographic Subdivision': 'authority.kind.geographicSubdivision',
  'Chronological Subdivision': 'authority.kind.chronologicalSubdivision',
  'Form Subdivision': 'authority.kind.formSubdivision',
}

const REFS: Readonly<Record<string, TextId>> = {
  Authorized: 'authority.ref.authorized',
  Reference: 'authority.ref.reference',
  'Auth/Ref': 'authority.ref.both',
}

/** By the code in 008/11. */
const THESAURI: Readonly<Record<string, TextId>> = {
  a: 'authority.thesaurus.lcsh',
  b: 'authority.thesaurus.children',
  c: 'authority.thesaurus.mesh',
  d: 'authority.thesaurus.agriculture',
  k: 'authority.thesaurus.canadian',
  n: 'authority.thesaurus.none',
  r: 'authority.thesaurus.art',
  s: 'authority.thesaurus.sears',
  v: 'authority.thesaurus.french',
  z: 'authority.thesaurus.other',
  '|': 'authority.thesaurus.uncoded',
}

/** The facet's value of authorities without a source file. */
const NO_FILE = 'NULL'

export interface Words {
  kind: (name: string | undefined) => string
  ref: (name: string | undefined) => string
  thesaurus: (code: string | undefined) => string
  file: (id: string | undefined) => string
}

export function useWords(): Words {
  const t = useText()
  const { data: files = [] } = useQuery(sourceFilesQuery)
  return useMemo(() => {
    const word = (ids: Readonly<Record<string, TextId>>, name = '') => {
      const id = ids[name]
      return id ? t(id) : name
    }
    return {
      kind: (name) => word(KINDS, name),
      ref: (name) => word(REFS, name),
      thesaurus: (code) => word(THESAURI, code),
      file: (id) =>
        id === NO_FILE
          ? t('authority.noFile')
          : (files.find((one) => one.id === id)?.name ?? id ?? ''),
    }
  }, [t, files])
}
