import { FileImage, Icon } from '@parley/shared';
import { isVideo, thumbSize, viewWords, type AttachmentView } from './attachment_view.js';
import { useAsk } from './file_actions.js';
import type { Shown } from './gallery.js';
import { useLift } from './safe_mode_context.js';

interface PictureProps {
  attachment: Shown;
  view: AttachmentView;
  /** The conversation requires Safe-Mode, so it cannot be switched off. */
  required: boolean;
  onOpen: () => void;
}

/** A picture or the first frame of a video in the list of messages; opens the gallery. */
export function Picture({ attachment, view, required, onOpen }: PictureProps) {
  const { attachmentId, name = 'Picture' } = attachment;
  const ask = useAsk(attachmentId, 'thumb');
  const size = thumbSize(attachment);
  const traits = { 'data-testid': 'picture', 'data-attachment-id': attachmentId, 'data-view': view };
  const shape = size.w === null ? undefined : { width: size.w, aspectRatio: `${size.w} / ${size.h}` };
  if (view !== 'clear') {
    return (
      <div className="picture hidden-picture" style={shape} {...traits}>
        {view === 'blocked' ? null : <FileImage ask={ask} alt="" size={size} testId="picture-blurred" />}
        <HiddenWords view={view} required={required} />
      </div>
    );
  }
  const video = isVideo(attachment);
  return (
    <button type="button" className="picture" style={shape} aria-label={`Open ${video ? 'video' : 'picture'} ${name}`} title={name} onClick={onOpen} {...traits}>
      <FileImage ask={ask} alt={name} size={size} testId="picture-image" />
      {video ? (
        <span className="picture-play">
          <Icon name="play" size={28} />
        </span>
      ) : null}
    </button>
  );
}

function HiddenWords({ view, required }: { view: AttachmentView; required: boolean }) {
  const lift = useLift();
  return (
    <div className="hidden-words">
      <Icon name={view === 'unjudged' ? 'clock' : 'eyeOff'} size={20} />
      <span>{viewWords(view)}</span>
      {view === 'unjudged' ? null : required ? (
        <small>This conversation requires Safe-Mode.</small>
      ) : lift === null ? null : (
        <button type="button" className="button" data-testid="picture-lift" onClick={lift}>
          Show mature content
        </button>
      )}
    </div>
  );
}
