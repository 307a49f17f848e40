/** The styles of every program. */
import "./base.css";
import "./frame.css";
import "./parts.css";
import "./controls.css";
import "./tables.css";
import "./dialog.css";
import "./reading.css";
