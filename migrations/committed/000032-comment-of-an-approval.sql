--! Previous: sha1:52c9fa36fff45ddea912c495a2f51b19ad0edb88
--! Hash: sha1:1254ba8ecfde7fc28cdfbcdb6d12df8f58c5da89
--! Message: comment-of-an-approval

-- What the person writes with the answer to an approval.
alter table app.approvals
  add column comment text check (char_length(comment) between 1 and 1000),
  add check (comment is null or answered_at is not null);
comment on column app.approvals.comment is 'What the person wrote with the answer. Null without a comment.';
