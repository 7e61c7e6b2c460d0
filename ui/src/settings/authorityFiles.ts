// Source files of authorities: FOLIO's own, of which a library says whether new records may be of them, and its own, which
// give numbers. The route changes only what is sent, and refuses what a file in use must keep.
import { get, post, request } from '#/api/client'
import type { Kind, When } from './kinds'
import type { Values } from './paths'

const PATH = '/authority-source-files'
const LOCAL = 'local'
const own: When = { name: 'source', is: [LOCAL] }

/** The form has the letters as one text, and the first number beside the other fields. */
const shown = (file: Values): Values => ({
  ...file,
  $code: Array.isArray(file.codes) ? file.codes.join(', ') : '',
  $start: (file.hridManagement as { startNumber?: number } | undefined)?.startNumber,
})

const FIELDS = ['name', 'type', 'baseUrl', 'selectable'] as const

/** What differs, as the route takes it; all of it where nothing is stored. */
export function changesOf(form: Values, stored: Values | undefined): Values {
  const differs = (name: string) => form[name] !== stored?.[name]
  const plain = FIELDS.filter(differs).map((name) => [name, form[name] ?? ''] as const)
  return {
    ...Object.fromEntries(plain),
    ...(differs('$code') ? { code: form.$code } : {}),
    ...(differs('$start') && form.$start !== '' && form.$start !== undefined
      ? { hridManagement: { startNumber: form.$start } }
      : {}),
  }
}

export const AUTHORITY_FILES: Kind = {
  id: 'authority-files',
  path: PATH,
  key: 'authoritySourceFiles',
  name: 'name',
  title: 'set.authorityFiles',
  group: 'set.groupCatalogue',
  permission: 'inventory-storage.authority-source-files.item',
  changePermission: 'inventory-storage.authority-source-files.item.patch',
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true, when: own },
    {
      name: '$code',
      label: 'set.letters',
      type: 'text',
      needed: true,
      when: own,
      only: { pattern: /^\p{L}{1,25}$/u, text: 'set.lettersOnly' },
    },
    {
      name: '$start',
      label: 'set.startNumber',
      type: 'number',
      when: own,
      help: 'set.startNumberWhat',
    },
    { name: 'baseUrl', label: 'set.baseUrl', type: 'text', help: 'set.baseUrlWhat' },
    { name: 'selectable', label: 'set.selectable', type: 'check' },
  ],
  columns: ['$code', 'source'],
  row: shown,
  fresh: { source: LOCAL, selectable: true, $start: 1 },
  wire: {
    read: async (id) => shown(await get<Values>(`${PATH}/${id}`)),
    store: async (form, stored) => {
      const body = changesOf(form, stored)
      if (stored)
        await request(`${PATH}/${form.id}`, {
          method: 'PATCH',
          body: { ...body, id: form.id, _version: stored._version },
        })
      else await post(PATH, { ...body, id: form.id, source: LOCAL })
    },
  },
}
