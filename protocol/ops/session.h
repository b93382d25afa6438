// Ops of a session itself: hello, ping, a newer token, typing.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

enum class DeliverMode : uint8_t { kAll, kOpen };

template <>
struct EnumNames<DeliverMode> {
  static constexpr std::string_view kNames[] = {"all", "open"};
};

enum class ResumeVerdict : uint8_t { kOk, kReset, kGone };

template <>
struct EnumNames<ResumeVerdict> {
  static constexpr std::string_view kNames[] = {"ok", "reset", "gone"};
};

struct ResumeRequest {
  std::string epoch;
  Dictionary<Seq> threads;  // at most kMaxResumeThreads, checked by the session
  static constexpr void Fields(auto& field) {
    using T = ResumeRequest;
    field("epoch", &T::epoch, "the history that the held seqs belong to; any other than the server's resets");
    field("threads", &T::threads, "threadId → last seq held");
  }
};

inline constexpr size_t kMaxResumeThreads = 500;

struct SessionLimits {
  int64_t max_frame_bytes = 0, max_body_bytes = 0, max_in_flight = 0, outbox_bytes = 0, edit_window_ms = 0;
  int64_t max_resume_threads = 0, max_participants = 0, max_named_participants = 0, max_open_threads = 0,
          max_sessions = 0, max_page_bytes = 0;
  static constexpr void Fields(auto& field) {
    using T = SessionLimits;
    field("maxFrameBytes", &T::max_frame_bytes, "largest frame accepted");
    field("maxBodyBytes", &T::max_body_bytes, "largest message body, UTF-8 bytes");
    field("maxInFlight", &T::max_in_flight, "unanswered requests before the server stops reading");
    field("outboxBytes", &T::outbox_bytes, "bytes the server queues for a slow reader");
    field("editWindowMs", &T::edit_window_ms, "time in which an author may edit");
    field("maxPageBytes", &T::max_page_bytes,
          "size of a page as JSON, unless it reaches its limit of items first");
    field("maxResumeThreads", &T::max_resume_threads, "threads in one resume map");
    field("maxParticipants", &T::max_participants, "members of one thread");
    field("maxNamedParticipants", &T::max_named_participants,
          "elements of `participants` in one thread.create");
    field("maxOpenThreads", &T::max_open_threads, "threads that a session may have open at once");
    field("maxSessions", &T::max_sessions, "sessions of one user at once");
  }
};

// How far Safe-Mode is lifted for the session's user, in threads that do not require it.
struct SafeModeState {
  int64_t band_max = 1;
  bool may_lift = false;
  static constexpr void Fields(auto& field) {
    field("bandMax", &SafeModeState::band_max,
          "the highest band that the user sees clearly; 0 in a thread with safeModeRequired");
    field("mayLift", &SafeModeState::may_lift, "the user is an adult, by the token, and may switch it off");
  }
};

struct SessionHello {
  static constexpr std::string_view kName = "session.hello";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc =
      "authenticates the session and takes the client's position; must be the first request";
  struct Args {
    std::optional<std::string> token;
    std::optional<ResumeRequest> resume;
    std::optional<DeliverMode> deliver;
    std::optional<Text<200>> device;
    std::optional<bool> safe_mode;
    std::optional<bool> compact;
    static constexpr void Fields(auto& field) {
      field("token", &Args::token, "a JWT; wins over the Authorization header");
      field("resume", &Args::resume, "the client's position");
      field("deliver", &Args::deliver, "all changes as events, or only those of opened threads");
      field("device", &Args::device, "free text for the log");
      field(
          "safeMode", &Args::safe_mode,
          "for this session, in place of the user's preference; false: an adult (by the token) wants to see "
          "mature content, if the thread allows it");
      field("compact", &Args::compact,
            "true: items in events and pages come without the fields that the client can fill in; false if "
            "not given");
    }
  };
  struct Reply {
    std::string session_id;
    UserId user_id;
    TenantId tenant_id;
    std::string role;
    Time server_time;
    std::string epoch;
    int64_t heartbeat_ms = 0, presence_ttl_ms = 0, typing_ttl_ms = 0;
    SessionLimits limits;
    SafeModeState safe_mode;
    Dictionary<ResumeVerdict> resumed;
    static constexpr void Fields(auto& field) {
      field("sessionId", &Reply::session_id, "names the session in the server's log");
      field("userId", &Reply::user_id, "the user that the token names");
      field("tenantId", &Reply::tenant_id, "the user's tenant");
      field("role", &Reply::role, "the token's role");
      field("serverTime", &Reply::server_time, "now");
      field("epoch", &Reply::epoch, "the history of this store; seqs of another epoch mean nothing");
      field("heartbeatMs", &Reply::heartbeat_ms, "the server pings a silent session this often");
      field("presenceTtlMs", &Reply::presence_ttl_ms, "presence lapses after this");
      field("typingTtlMs", &Reply::typing_ttl_ms, "typing lapses after this");
      field("limits", &Reply::limits, "bounds in force");
      field("safeMode", &Reply::safe_mode, "how far Safe-Mode is lifted");
      field("resumed", &Reply::resumed, "threadId → ok, reset or gone");
    }
  };
};

struct SessionPing {
  static constexpr std::string_view kName = "session.ping";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc = "counts as presence";
  using Args = Empty;
  struct Reply {
    Time server_time;
    static constexpr void Fields(auto& field) { field("serverTime", &Reply::server_time, "now"); }
  };
};

struct SessionRefresh {
  static constexpr std::string_view kName = "session.refresh";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc = "replaces the token before it expires";
  struct Args {
    std::string token;
    static constexpr void Fields(auto& field) {
      field("token", &Args::token, "a newer JWT of the same user");
    }
  };
  struct Reply {
    Time expires_at;
    static constexpr void Fields(auto& field) {
      field("expiresAt", &Reply::expires_at, "end of the new token");
    }
  };
};

struct TypingSet {
  static constexpr std::string_view kName = "typing.set";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc =
      "shows the caller as typing to the other users who opened the thread; ends after typingTtlMs";
  struct Args {
    ThreadId thread_id;
    bool typing = false;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("typing", &Args::typing, "on or off");
    }
  };
  using Reply = Empty;
};

}  // namespace parley::protocol
