// Files in windows of the web client: shared by its tests.
import {eventually} from './deadline.mjs';
import {createThread, users} from './world.mjs';

/** The windows of two members of a project; `more` adds args to its creation. */
export async function pair(on, more = {}) {
  const {ann, bob} = users('ann', 'bob');
  const {thread: {threadId}} = await createThread(await on.as(ann), bob, {subject: 'Harbour wedding', ...more});
  const [anns, bobs] = await Promise.all([ann, bob].map((id) => on.openPage(id, {threadId})));
  for (const chat of [anns, bobs]) await chat.page.locator('[data-testid=thread-view][data-loaded=true]').waitFor();
  return {ann, bob, threadId, anns, bobs};
}

export const choose = (chat, ...files) => chat.id('attach-input').setInputFiles(files);
export const picked = (chat, state) => chat.page.locator(`[data-testid=picked-file][data-state=${state}]`);
export const shown = (chat, view = 'clear') => chat.page.locator(`[data-testid=picture][data-view=${view}]`);
export const row = (chat, view = 'clear') => chat.page.locator(`[data-testid=attachment][data-view=${view}]`);

/** Waits until the image has been drawn. */
export const drawn = (image) => eventually(() => image.evaluate((img) => img.complete && img.naturalWidth > 0), 'the image to be drawn');

/** Sends the chosen files once they are uploaded. */
export async function send(chat, count, text = '') {
  await eventually(async () => (await picked(chat, 'ready').count()) === count, `${count} files to be uploaded`);
  await chat.send(text);
  await chat.id('picked-files').waitFor({state: 'detached'});
}

/** Fires a drop or a paste with files, as the browser does. */
export const bring = (chat, kind, files) => chat.page.evaluate(([type, given]) => {
  const data = new DataTransfer();
  for (const {name, mimeType, text} of given) data.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name, {type: mimeType}));
  const box = document.querySelector('[data-testid=send-box]');
  const event = type === 'paste' ? new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}) : new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true});
  box.dispatchEvent(event);
  return event.defaultPrevented;
}, [kind, files.map(({buffer, ...more}) => ({...more, text: buffer.toString('base64')}))]);
