// Whether users have pictures, and how large these may be. The key that they are encrypted with is sent back as it was.
import { get, put } from '#/api/client'
import { queryClient } from '#/api/query'
import { pictureSettingQuery, SETTING_PATH } from '#/patrons/pictures'
import type { Kind } from './kinds'
import type { Values } from './paths'

export const PICTURES: Kind = {
  id: 'pictures',
  path: SETTING_PATH,
  key: 'pictures',
  name: 'configName',
  title: 'set.pictures',
  group: 'shell.users',
  permission: 'users.configurations.item',
  single: true,
  fields: [
    { name: 'enabled', label: 'set.pictures.on', type: 'check', help: 'set.pictures.what' },
    {
      name: 'maxFileSize',
      label: 'set.pictures.size',
      type: 'number',
      needed: true,
      only: { pattern: /^(10|[1-9](\.\d+)?|0\.\d*[1-9]\d*)$/, text: 'set.pictures.sizeOnly' },
      when: { name: 'enabled', is: [true] },
    },
  ],
  wire: {
    read: () => get<Values>(SETTING_PATH),
    store: async (form) => {
      // Read again: only what the form shows is changed.
      const { id, ...entry } = await get<Values>(SETTING_PATH)
      const { enabled, maxFileSize } = form
      await put(`${SETTING_PATH}/${String(id)}`, { ...entry, id, enabled, maxFileSize })
      await queryClient.invalidateQueries({ queryKey: pictureSettingQuery.queryKey })
    },
  },
}
