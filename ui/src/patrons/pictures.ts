// Pictures of users: the library's own, kept by the server, or an address elsewhere. Off unless the library wants them.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, put, remove } from '#/api/client'
import { failureOf } from '#/api/errors'
import { queryClient } from '#/api/query'
import type { User } from '#/api/types'
import { isUuid } from '#/lib/uuid'
import { sendFile } from '#/transfer/upload'
import type { Patron } from './types'

const PATH = '/users/profile-picture'
export const SETTING_PATH = '/users/configurations/entry'
const LONG_MS = 10 * 60_000
/** Of the server's megabytes. */
const MEGABYTE = 1_048_576
/** What the server takes, by the first bytes in base 64. */
const KINDS = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
] as const
export const ACCEPTED = KINDS.map(([, type]) => type)

export interface PictureSetting {
  enabled: boolean
  /** In megabytes. */
  maxFileSize?: number
}

/** Who may not read the setting, or a server without it: no pictures. */
export const pictureSettingQuery = queryOptions({
  queryKey: ['picture-setting'],
  queryFn: async ({ signal }): Promise<PictureSetting> => {
    try {
      return await get<PictureSetting>(SETTING_PATH, undefined, signal)
    } catch (error) {
      if (['forbidden', 'fault'].includes(failureOf(error).kind)) return { enabled: false }
      throw error
    }
  },
  staleTime: LONG_MS,
})

/** The id of a picture that the server keeps. */
export const storedId = (link: string | undefined) => (isUuid(link ?? '') ? link : undefined)
/** An address that a page may show: the policy of the page allows pictures by https only. */
export const isShown = (link: string | undefined) => /^https:\/\/\S+$/i.test(link ?? '')
export const isWeb = (link: string | undefined) => /^https?:\/\/\S+$/i.test(link ?? '')

/** Base 64 as an address; undefined where it is no picture of a kind that the server takes. */
export function dataAddress(blob: string): string | undefined {
  const type = KINDS.find(([begin]) => blob.startsWith(begin))?.[1]
  return type && `data:${type};base64,${blob}`
}

const pictureQuery = (id: string) =>
  queryOptions({
    queryKey: ['profile-picture', id],
    queryFn: async ({ signal }) => {
      const { profile_picture_blob: blob } = await get<{ profile_picture_blob: string }>(
        `${PATH}/${id}`,
        undefined,
        signal,
      )
      return dataAddress(blob) ?? null
    },
    retry: false,
    staleTime: LONG_MS,
  })

/** The address to show for a user; undefined without one, while it comes, and once the browser has failed to show it. */
export function usePicture(user: Pick<User, 'personal'> | undefined) {
  const link = user?.personal?.profilePictureLink
  const { data: setting } = useQuery({ ...pictureSettingQuery, enabled: Boolean(link) })
  const id = storedId(link)
  const enabled = Boolean(setting?.enabled)
  const { data: stored } = useQuery({
    ...pictureQuery(id ?? ''),
    enabled: enabled && Boolean(id),
  })
  const [broken, setBroken] = useState<string>()
  const src = id ? (stored ?? undefined) : isShown(link) ? link : undefined
  return {
    /** Room is kept for it before it is here. */
    hasOne: enabled && (Boolean(id) || isShown(link)),
    src: enabled && src !== broken ? src : undefined,
    onError: () => setBroken(src),
  }
}

export type FileFault = 'kind' | 'size'

export function faultOf(file: File, { maxFileSize }: PictureSetting): FileFault | undefined {
  if (!ACCEPTED.some((type) => type === file.type)) return 'kind'
  if (!file.size || (maxFileSize !== undefined && file.size > maxFileSize * MEGABYTE)) return 'size'
  return undefined
}

/** A new picture takes the place of the old one under its id; the first one is noted in the record. */
export async function keepFile(userId: string, file: File) {
  const old = storedId((await newest(userId)).personal.profilePictureLink)
  if (old) {
    await sendFile(`${PATH}/${old}`, file, { method: 'PUT' })
    await queryClient.invalidateQueries({ queryKey: ['profile-picture', old] })
  } else {
    const { id } = await sendFile<{ id: string }>(PATH, file)
    // Read again: somebody may have changed the record while the file was on its way.
    await link(await newest(userId), id)
  }
  await changed(userId)
}

/** Another address, or none. The picture that nobody has any more goes. */
export async function keepLink(userId: string, address: string | undefined) {
  const user = await newest(userId)
  const old = storedId(user.personal.profilePictureLink)
  await link(user, address)
  if (old) await remove(`${PATH}/${old}`)
  // The record first: as long as it names the picture, that would be asked for again.
  await changed(userId)
  queryClient.removeQueries({ queryKey: ['profile-picture', old] })
}

const newest = (userId: string) => get<Patron>(`/users/${userId}`)

const link = (user: Patron, profilePictureLink: string | undefined) =>
  put(`/users/${user.id}`, { ...user, personal: { ...user.personal, profilePictureLink } })

const changed = (userId: string) => queryClient.invalidateQueries({ queryKey: ['patrons', userId] })
